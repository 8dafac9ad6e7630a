@NullMarked
package dev.berth.csi.client;

import org.jspecify.annotations.NullMarked;
