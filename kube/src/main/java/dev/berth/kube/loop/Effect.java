package dev.berth.kube.loop;

/// One thing to do to the outside world: an API write, a CSI call, an event. A value: it says what,
/// not how. Doing it twice is the same as doing it once.
public interface Effect {}
