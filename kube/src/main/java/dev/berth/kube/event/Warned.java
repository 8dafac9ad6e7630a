package dev.berth.kube.event;

/// Whether a warning about an object was told while something was tried: who reads the object can
/// do something about it, so no log says the same again. What no event could tell the recorder
/// logs.
public final class Warned {
  private static final ScopedValue<Warned> CURRENT = ScopedValue.newInstance();

  private volatile boolean somebody;

  /// What is tried.
  @FunctionalInterface
  public interface Work {
    void carryOut() throws Exception;
  }

  /// Does `work`, and knows from then on whether this thread told a warning meanwhile.
  public void during(Work work) throws Exception {
    var _ =
        ScopedValue.where(CURRENT, this)
            .call(() -> {
              work.carryOut();
              return this;
            });
  }

  public boolean somebody() {
    return somebody;
  }

  /// A warning will be told.
  static void note() {
    if (CURRENT.isBound()) CURRENT.get().somebody = true;
  }
}
