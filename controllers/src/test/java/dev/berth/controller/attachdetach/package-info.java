@NullMarked
package dev.berth.controller.attachdetach;

import org.jspecify.annotations.NullMarked;
