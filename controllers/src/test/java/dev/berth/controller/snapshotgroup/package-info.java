@NullMarked
package dev.berth.controller.snapshotgroup;

import org.jspecify.annotations.NullMarked;
