#!/bin/sh
# CDC-ACM devices of ours (1209:f317) on the kernel's dummy controllers:
#   gadget.sh make shoe:SH-0001 ...   gadget.sh plug shoe   gadget.sh pull shoe
set -eu
folder=/sys/kernel/config/usb_gadget
action=$1
shift
case $action in
make)
  modprobe dummy_hcd num=$#
  modprobe libcomposite
  modprobe usb_f_acm
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  number=0
  for each; do
    name=${each%:*}
    mkdir -p "$folder/$name/strings/0x409" "$folder/$name/configs/one.1" "$folder/$name/functions/acm.$name"
    cd "$folder/$name"
    echo 0x1209 >idVendor
    echo 0xf317 >idProduct
    echo "${each#*:}" >strings/0x409/serialnumber
    echo feltd >strings/0x409/manufacturer
    echo "$name" >strings/0x409/product
    [ -e "configs/one.1/acm.$name" ] || ln -s "$folder/$name/functions/acm.$name" configs/one.1/
    mkdir -p /run/gadgets
    echo "dummy_udc.$number" >"/run/gadgets/$name"
    number=$((number + 1))
  done
  ;;
plug) cat "/run/gadgets/$1" >"$folder/$1/UDC" ;;
pull) [ -z "$(cat "$folder/$1/UDC")" ] || echo '' >"$folder/$1/UDC" ;;
esac
