/// What holds for the code of all rooms: its layout, its layers, the platform it runs on.
@org.jspecify.annotations.NullMarked
package dev.berth.checks;
