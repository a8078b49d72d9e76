#!/bin/sh
# The first program of the machine: loads what the disk needs, and goes over to it.
mount -t devtmpfs none /dev
mount -t proc none /proc
mount -t sysfs none /sys
while read -r module; do insmod "/lib/$module"; done </order
tries=0
while [ ! -b /dev/vda ] && [ $tries -lt 300 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
mount -t ext4 -o rw /dev/vda /newroot
mount --move /dev /newroot/dev
mount --move /proc /newroot/proc
mount --move /sys /newroot/sys
exec switch_root /newroot /sbin/init
