#!/bin/sh
# Builds the modules that Debian's kernel lacks, inside a root of that release: build.sh KERNEL, in the folder of this file.
set -eu
cd "$(dirname "$0")"
tar -xJf /usr/src/linux-source-*.tar.xz --strip-components=1 --wildcards \
  '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/drivers/gpio/dev-sync-probe.*' '*/kernel/irq/irq_sim.c' 2>tar.log || true
mv drivers/gpio/gpio-sim.c gpio-sim-main.c
mv drivers/gpio/gpiolib.h kernel/irq/irq_sim.c .
# irq_to_desc() is not exported to modules; the data of the same interrupt is.
sed -i 's/irq_to_desc(\([a-z]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' irq_sim.c
cat >Makefile <<'M'
obj-m := gpio-sim.o vm_bus_off.o
gpio-sim-objs := gpio-sim-main.o irq_sim.o
M
make -s -C "/usr/src/linux-headers-$1" M="$PWD" modules
