package dev.berth.kube.loop;

/// What a decision comes to for one key at one moment: do something, wait for somebody, or nothing.
public sealed interface Step permits Act, Wait, Settled {}
