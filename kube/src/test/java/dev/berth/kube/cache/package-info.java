@NullMarked
package dev.berth.kube.cache;

import org.jspecify.annotations.NullMarked;
