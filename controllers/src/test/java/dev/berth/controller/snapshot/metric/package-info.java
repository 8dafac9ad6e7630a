@NullMarked
package dev.berth.controller.snapshot.metric;

import org.jspecify.annotations.NullMarked;
