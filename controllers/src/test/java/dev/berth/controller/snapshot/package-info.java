@NullMarked
package dev.berth.controller.snapshot;

import org.jspecify.annotations.NullMarked;
