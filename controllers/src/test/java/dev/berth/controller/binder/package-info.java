@NullMarked
package dev.berth.controller.binder;

import org.jspecify.annotations.NullMarked;
