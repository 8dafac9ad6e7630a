@NullMarked
package dev.berth.linux.cgroup;

import org.jspecify.annotations.NullMarked;
