package dev.berth.node.volume.state;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.VolumeName;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Holds the present [Actual] and tells of each change. Safe for any number of threads.
public final class ActualState {
  private final Told<Actual> told;

  /// @param found what a look at the disk has shown, before anything runs
  public ActualState(Actual found) {
    told = new Told<>(Actual.TOPIC, found);
  }

  public Actual now() {
    return told.now();
  }

  public Source<Actual> source() {
    return told;
  }

  /// Changes what is known of a volume that has an entry, or gives it one.
  public void change(VolumeName name, UnaryOperator<VolumeState> to) {
    update(actual -> Optional.of(actual.with(to.apply(actual.volume(name)))));
  }

  /// Nothing of the volume is mounted and nothing is about to be.
  public void forget(VolumeName name) {
    update(actual -> Optional.of(actual.without(name)));
  }

  /// It is known again whose something is whose note could not be read.
  public void find(Lost mount, VolumeName name, Form form) {
    update(actual -> Optional.of(actual.find(mount, name, form)));
  }

  /// Nothing is here of what a note that cannot be read was about.
  public void unlose(Lost mount) {
    update(actual -> Optional.of(actual.unlose(mount)));
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
    var names = new TreeSet<VolumeName>();
    told.change(before -> { // an entry that comes later is refused unless the report has it
      names.addAll(before.report(wanted, attachable));
      return before.beginReport(names);
    });
    return names;
  }

  /// The API server has `names` as our report.
  public void reported(Set<VolumeName> names) {
    update(actual -> Optional.of(actual.reported(names)));
  }

  /// @param change empty: refused
  private Optional<Actual> update(Function<Actual, Optional<Actual>> change) {
    var accepted = new AtomicBoolean();
    var news =
        told.change(before -> {
          var after = change.apply(before);
          accepted.set(after.isPresent());
          return after.orElse(before);
        });
    return Optional.of(news.after()).filter(_ -> accepted.get());
  }
}
