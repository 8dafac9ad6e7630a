package dev.berth.csi.socket;

/// What a server does if its socket is already served.
public enum Takeover {
  /// It refuses to start: two plugins of one name would work against each other (UDS-04).
  IF_DEAD,

  /// It takes the name: new connections come to it, those of the other process stay there until
  /// they end. For an upgrade that must not leave a gap; the other process must tolerate it.
  ALWAYS
}
