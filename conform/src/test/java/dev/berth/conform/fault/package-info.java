/// Drivers that are wrong in one thing: the disk driver behind something that alters its answers.
@NullMarked
package dev.berth.conform.fault;

import org.jspecify.annotations.NullMarked;
