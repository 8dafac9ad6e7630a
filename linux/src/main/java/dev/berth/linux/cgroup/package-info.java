/// Control groups, as far as they say which devices processes may use. Start at [DeviceGroups].
@NullMarked
package dev.berth.linux.cgroup;

import org.jspecify.annotations.NullMarked;
