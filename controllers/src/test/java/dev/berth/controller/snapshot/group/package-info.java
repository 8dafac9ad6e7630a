@NullMarked
package dev.berth.controller.snapshot.group;

import org.jspecify.annotations.NullMarked;
