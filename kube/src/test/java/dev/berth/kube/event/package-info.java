@NullMarked
package dev.berth.kube.event;

import org.jspecify.annotations.NullMarked;
