/// Who speaks of a wait: for each component that acts, what it waits for, whether it is there at
/// all, and why its last act failed. Start at [Voices].
@NullMarked
package dev.berth.explain.voice;

import org.jspecify.annotations.NullMarked;
