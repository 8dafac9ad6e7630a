@NullMarked
package dev.berth.controller.roster;

import org.jspecify.annotations.NullMarked;
