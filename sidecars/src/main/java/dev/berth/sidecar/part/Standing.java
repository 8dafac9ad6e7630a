package dev.berth.sidecar.part;

/// Whether a driver's sidecar works, and why (ONE-11).
public sealed interface Standing {
  /// @param why what the driver can do that asks for it, for people: `CREATE_DELETE_VOLUME`
  record On(String why) implements Standing {}

  /// @param why what is missing, for people: `the driver lacks EXPAND_VOLUME`
  record Off(String why) implements Standing {}

  static Standing on(String why) {
    return new On(why);
  }

  static Standing off(String why) {
    return new Off(why);
  }
}
