/// How pods are reached: defaults, and what is wrong with one. Addresses are given out by
/// admission; nothing here leads traffic anywhere. Start at [NetworkBook].
@NullMarked
package dev.berth.apiserver.core.kind.network;

import org.jspecify.annotations.NullMarked;
