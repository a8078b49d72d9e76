// SPDX-License-Identifier: GPL-2.0
/* Puts a CAN interface into bus-off, as a controller's driver does when the chip has given up.  QEMU's SJA1000 never
 * counts an error, so nothing on its bus can do that.  `echo can0 > /sys/module/vm_bus_off/parameters/interface`. */
#include <linux/can/dev.h>
#include <linux/can/error.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>

static void give_up(struct net_device *dev)
{
	struct can_frame *frame;
	struct sk_buff *skb = alloc_can_err_skb(dev, &frame);

	can_change_state(dev, skb ? frame : NULL, CAN_STATE_BUS_OFF, CAN_STATE_BUS_OFF);
	can_bus_off(dev);
	if (skb)
		netif_rx(skb);
}

static int set_interface(const char *text, const struct kernel_param *kp)
{
	char name[IFNAMSIZ];
	struct net_device *dev;

	strscpy(name, text, sizeof(name));
	dev = dev_get_by_name(&init_net, strim(name));
	if (!dev)
		return -ENODEV;
	rtnl_lock();
	if (netif_running(dev))
		give_up(dev);
	rtnl_unlock();
	dev_put(dev);
	return 0;
}

static const struct kernel_param_ops operations = { .set = set_interface };
module_param_cb(interface, &operations, NULL, 0200);
MODULE_DESCRIPTION("Bus-off on demand, for tests");
MODULE_LICENSE("GPL");
