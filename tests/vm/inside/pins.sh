#!/bin/sh
# A gpiochip with the 54 lines of a Pi, simulated by the kernel: pins.sh make|away, pins.sh pull LINE up|down, pins.sh value LINE.
set -eu
chip=/sys/kernel/config/gpio-sim/pi
line() { echo "/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)/sim_gpio$1"; }
case $1 in
make)
  modprobe gpio-sim
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  [ ! -d $chip ] || exit 0
  mkdir -p $chip/bank0
  echo 54 >$chip/bank0/num_lines
  echo pinctrl-bcm2711 >$chip/bank0/label
  echo 1 >$chip/live
  udevadm settle
  ;;
away)
  [ ! -d $chip ] || { echo 0 >$chip/live; rmdir $chip/bank0 $chip; }
  ;;
pull) echo "pull-$3" >"$(line "$2")/pull" ;;
value) cat "$(line "$2")/value" ;;
esac
