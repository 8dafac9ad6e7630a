package dev.berth.node.volume.state;

import dev.berth.kube.model.VolumeName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Holds the present [Actual] and tells who listens of each change. Safe for any number of threads.
public final class ActualState {
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile Actual present; // replaced by [#replace] only

  /// @param found what a look at the disk has shown, before anything runs
  public ActualState(Actual found) {
    present = found;
  }

  /// Hears of changes, after they have happened; must not block.
  public interface Listener {
    void changed(Actual before, Actual after);
  }

  public Actual now() {
    return present;
  }

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /// Changes what is known of a volume that has an entry, or gives it one.
  public void change(VolumeName name, UnaryOperator<VolumeState> to) {
    update(actual -> Optional.of(actual.with(to.apply(actual.volume(name)))));
  }

  /// Nothing of the volume is mounted and nothing is about to be.
  public void forget(VolumeName name) {
    update(actual -> Optional.of(actual.without(name)));
  }

  /// Gives the volume an entry, which keeps it reported in use.
  ///
  /// @param attachable whether the report must have it already
  /// @return false: it must, and has not; look again
  public boolean pin(VolumeName name, boolean attachable) {
    return update(actual -> actual.pin(name, attachable)).isPresent();
  }

  /// Keeps the pod's volumes mounted: its containers may start.
  ///
  /// @return false: one of `needed` is not mounted for the pod for certain; look again
  public boolean hold(String podUid, Collection<VolumeName> needed) {
    return update(actual -> actual.hold(podUid, needed)).isPresent();
  }

  /// None of the pod's containers runs or will start without a new [#hold].
  public void release(String podUid) {
    update(actual -> Optional.of(actual.release(podUid)));
  }

  /// The volume is about to be unpublished for the pod.
  ///
  /// @return false: the pod holds its volumes; look again
  public boolean beginUnpublish(VolumeName name, String podUid) {
    return update(actual -> actual.beginUnpublish(name, podUid)).isPresent();
  }

  /// A report is about to be written.
  ///
  /// @param wanted volumes that pods shall have
  /// @param attachable whether a volume is reported at all
  /// @return what to report
  public SortedSet<VolumeName> beginReport(
      Set<VolumeName> wanted, Predicate<VolumeName> attachable) {
    // The report is made from the very value that it replaces: an entry that comes later is refused
    // by [Actual#pin] unless the report has it.
    while (true) {
      var before = present;
      var names = before.report(wanted, attachable);
      if (replace(before, before.beginReport(names))) return names;
    }
  }

  /// The API server has `names` as our report.
  public void reported(Set<VolumeName> names) {
    update(actual -> Optional.of(actual.reported(names)));
  }

  private Optional<Actual> update(Function<Actual, Optional<Actual>> change) {
    while (true) {
      var before = present;
      var after = change.apply(before);
      if (after.isEmpty() || replace(before, after.get())) return after;
    }
  }

  private boolean replace(Actual before, Actual after) {
    synchronized (this) {
      if (present != before) return false;
      present = after;
    }
    if (!before.equals(after)) listeners.forEach(listener -> listener.changed(before, after));
    return true;
  }
}
