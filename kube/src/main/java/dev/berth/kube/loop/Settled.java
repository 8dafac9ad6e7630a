package dev.berth.kube.loop;

/// Nothing to do and nothing to wait for: the object is as its author wants it, or is not ours.
public record Settled() implements Step {}
