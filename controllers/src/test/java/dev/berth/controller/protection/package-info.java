@NullMarked
package dev.berth.controller.protection;

import org.jspecify.annotations.NullMarked;
