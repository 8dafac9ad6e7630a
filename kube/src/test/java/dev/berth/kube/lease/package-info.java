@NullMarked
package dev.berth.kube.lease;

import org.jspecify.annotations.NullMarked;
