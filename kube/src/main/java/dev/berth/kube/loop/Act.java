package dev.berth.kube.loop;

/// Carry out this one effect now, then decide again.
public record Act(Effect effect) implements Step {}
