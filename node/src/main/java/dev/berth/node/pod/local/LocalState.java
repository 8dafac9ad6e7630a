package dev.berth.node.pod.local;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Holds the present [Local] and tells who listens which pod has changed. Safe for any number of
/// threads.
public final class LocalState {
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private volatile Local present;

  /// @param found what runtime and disk have shown, before anything is decided
  public LocalState(Local found) {
    present = found;
  }

  public Local now() {
    return present;
  }

  /// Tells of changes from now on.
  ///
  /// @param listener told the uid of each pod of which something has changed; must not block
  public void listen(Consumer<String> listener) {
    listeners.add(listener);
  }

  public void change(String podUid, UnaryOperator<Local> to) {
    synchronized (this) {
      var after = to.apply(present);
      if (after.equals(present)) return;
      present = after;
    }
    listeners.forEach(listener -> listener.accept(podUid));
  }
}
