@NullMarked
package dev.berth.controller.snapshotmetric;

import org.jspecify.annotations.NullMarked;
