package dev.berth.kube.loop;

/// How the effects of one type are carried out.
@FunctionalInterface
public interface Effects<E extends Effect> {
  /// Does what a decision asked for; blocks until it is done. Called on a virtual thread, never
  /// twice at once for one key.
  ///
  /// @throws Exception if it was not, or perhaps not, done: the loop decides again after its
  ///   back-off
  void carryOut(E effect) throws Exception;
}
