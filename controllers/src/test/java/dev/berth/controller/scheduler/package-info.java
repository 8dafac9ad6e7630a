@NullMarked
package dev.berth.controller.scheduler;

import org.jspecify.annotations.NullMarked;
