package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.decide.DriveEffect.Admit;
import dev.berth.driver.baremetal.decide.DriveEffect.ClearShare;
import dev.berth.driver.baremetal.decide.DriveEffect.EndWipe;
import dev.berth.driver.baremetal.decide.DriveEffect.Forget;
import dev.berth.driver.baremetal.decide.DriveEffect.Heeded;
import dev.berth.driver.baremetal.decide.DriveEffect.Lamp;
import dev.berth.driver.baremetal.decide.DriveEffect.Light;
import dev.berth.driver.baremetal.decide.DriveEffect.Observe;
import dev.berth.driver.baremetal.decide.DriveEffect.Recognize;
import dev.berth.driver.baremetal.decide.DriveEffect.Register;
import dev.berth.driver.baremetal.decide.DriveEffect.ReleaseAgain;
import dev.berth.driver.baremetal.decide.DriveEffect.WipeLeft;
import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.driver.baremetal.manager.SeenDrives.Seen;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Keeps the objects of a node's drives true: what was found, how it is, and where it stands on its
/// way out of service. Each look computes the whole state anew, so that nothing that was missed
/// once is lost.
///
/// @param nodeId only drives of this node; there is one writer for each drive (BM-24)
public record DriveKeeper(String nodeId)
    implements Decider<ObjectKey, DriveKeeper.View, DriveEffect> {
  /// What the passes of this process have shown.
  public static final Topic<SeenDrives> SEEN = new Topic<>("drives of this node", SeenDrives.NONE);

  /// What there is to see.
  public record View(Facts facts, SeenDrives seen, Instant now) {}

  @Override
  public String name() {
    return "drive-keeper";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(BareMetalKinds.DRIVE, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            BareMetalKinds.VOLUME,
            (change, _) ->
                Stream.concat(change.before().stream(), change.after().stream())
                    .flatMap(volume -> volume.drive().stream())),
        Trigger.on(
            SEEN,
            (news, facts) ->
                Stream.concat(
                        news.after().byUuid(nodeId).keySet().stream().map(ObjectKey::cluster),
                        facts.by(Indexes.DRIVES_BY_NODE, nodeId).stream()
                            .map(drive -> drive.meta().key()))
                    .distinct()));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(SEEN), now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.facts.get(BareMetalKinds.DRIVE, key)) {
      case Missing<Drive> _ -> missing(view, key);
      case Found<Drive>(var drive) when !drive.nodeId().equals(nodeId) -> new Settled(); // BM-24
      case Found<Drive>(var drive) when drive.meta().deleting() -> new Settled();
      // BM-05; who asks from outside sees what was written last
      case Found<Drive>(var drive) when view.seen.passes() == 0 ->
          waiting(drive, drive.observed(), volumes(view, drive));
      case Found<Drive>(var drive) -> known(view, drive, seen(view, drive));
    };
  }

  /// BM-57: who is first seen going is not registered. BM-23: nor who may have another name in a
  /// moment, or has been registered under one.
  private Step missing(View view, ObjectKey key) {
    return Optional.ofNullable(view.seen.byUuid(nodeId).get(key.name()))
        .filter(it -> it.missing() == 0 && it.last().names().settled())
        .filter(it -> it.last().size() > 0) // one that nobody could look into yet
        .filter(it -> registered(view, it.last()).isEmpty() && isNobodyElse(view, it.last()))
        .<Step>map(it -> new Act(new Register(it.last(), nodeId)))
        .orElse(new Settled());
  }

  /// BM-146: bytes that are a volume's need not look like anything. What may be a drive that they
  /// were written to, and that is nowhere else, is no new one, even if it has changed; nor is what
  /// may yet turn out to be any drive (BM-23).
  private boolean isNobodyElse(View view, FoundDrive found) {
    var names = found.names();
    return view.facts.by(Indexes.DRIVES_BY_NODE, nodeId).stream()
        .noneMatch(it -> names.isUndecided(it, found.size()) || isAway(view, it, names));
  }

  /// Whether it is a drive with something on it that is not there, and that this may be.
  private boolean isAway(View view, Drive drive, DriveNames names) {
    return isWrittenTo(view, drive)
        && names.mayBe(drive)
        && seen(view, drive).filter(it -> it.missing() == 0).isEmpty();
  }

  private static boolean isWrittenTo(View view, Drive drive) {
    return drive.isWrittenTo() || drive.wiping().isPresent() || !volumes(view, drive).isEmpty();
  }

  /// A drive is one object's alone, whatever it is called.
  private Optional<Seen> seen(View view, Drive drive) {
    return view.seen
        .of(drive)
        .filter(it ->
            registered(view, it.last())
                .filter(owner -> owner.uuid().equals(drive.uuid()))
                .isPresent());
  }

  /// Under which of its names a drive is known here: once it has one it keeps it, above all if
  /// there is something on it.
  private Optional<Drive> registered(View view, FoundDrive found) {
    var uuid = found.identity().uuidOn(nodeId);
    return view.facts.by(Indexes.DRIVES_BY_NODE, nodeId).stream()
        .filter(found::canBe)
        .min(
            Comparator.comparing((Drive it) -> !isWrittenTo(view, it))
                .thenComparing(it -> !it.uuid().equals(uuid))
                .thenComparing(Drive::uuid));
  }

  /// What there is to tell of how a drive and its object fit (BM-23).
  private Likeness likeness(View view, Drive drive, Optional<Seen> seen) {
    var found =
        seen.map(Seen::last)
            .or(() -> view.seen.of(drive).filter(it -> it.missing() == 0).map(Seen::last))
            .or(() -> view.seen.takenFor(drive));
    var second =
        view.facts.by(Indexes.DRIVES_BY_NODE, nodeId).stream()
            .filter(it -> !it.uuid().equals(drive.uuid()))
            .filter(it -> found.filter(each -> each.canBe(it)).isPresent())
            .min(Comparator.comparing(Drive::uuid));
    return new Likeness(drive, found, second.map(Drive::uuid));
  }

  private Step known(View view, Drive drive, Optional<Seen> seen) {
    var volumes = volumes(view, drive);
    var twice = view.seen.twice().contains(drive.identity());
    // BM-54: what was never seen since the start is given a second pass, too; BM-23: and may be one
    // that has not said yet which it is.
    if (seen.isEmpty() && !twice && (view.seen.passes() < 2 || view.seen.mayBeUnsettled(drive)))
      return new Settled();
    var heeded = heeded(drive, volumes);
    if (heeded.isPresent()) return new Act(heeded.get());
    var likeness = likeness(view, drive, seen);
    var observation = new Observation(drive, seen, likeness, twice, volumes, view.now);
    var next = observation.state();
    if (observation.needsLamp(next))
      return new Act(new Light(drive, next, observation.notices(next)));
    if (!drive.looked() || !next.equals(drive.observed()))
      return new Act(new Observe(drive, next, observation.notices(next)));
    var names = seen.map(it -> newNames(drive, it.last())).orElse(Map.of());
    if (!names.isEmpty()) return new Act(new Recognize(drive, names)); // BM-23
    // BM-211
    if (!drive.admitted() && seen.filter(it -> it.last().named()).isPresent())
      return new Act(new Admit(drive, Optional.empty()));
    // BM-119
    if (drive.isWipedForNobody()) return new Act(new EndWipe(drive));
    // BM-102
    if (next.presence() == Presence.ONLINE && drive.pendingWipe().isPresent())
      return new Act(new WipeLeft(drive));
    // BM-102, BM-210
    if (next.presence() == Presence.ONLINE)
      for (var share : drive.sharing().shares())
        if (share.left()) return new Act(new ClearShare(drive, share));
    // BM-138
    if (next.usage() == DriveUsage.REMOVED) {
      boolean gone =
          next.presence() == Presence.OFFLINE
              && !observation.isLivedOn()
              && (!isToBeRemembered(drive) || drive.word(Marks.ACTION).equals(Marks.REMOVE));
      return gone ? new Act(new Forget(drive)) : waiting(drive, next, volumes);
    }
    // BM-143: who allowed it once has not allowed it for ever
    if (next.usage() == DriveUsage.IN_USE && !next.health().failing())
      for (var said : drive.meta().annotations().keySet())
        if (Replacement.isOfOneRemoval(drive, said)) return new Act(new Heeded(drive, said));
    return asked(drive, next).orElseGet(() -> waiting(drive, next, volumes));
  }

  /// What a drive was registered by may be its bridge's: what tells it from others of the shelf is
  /// noted as soon as a layer says it. So is all else that it is called: the layer that says what
  /// it is registered by may fall silent.
  ///
  /// @return annotations
  private static Map<String, String> newNames(Drive drive, FoundDrive found) {
    var all = new TreeMap<String, String>();
    var serial = found.identity().serial();
    var known =
        Stream.concat(Stream.of(drive.identity().serial()), drive.knownAs().stream())
            .map(it -> it.toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    if (!known.contains(serial.toUpperCase(Locale.ROOT)) && found.identity().tells()) {
      all.put(Marks.KNOWN_AS, serial);
      known.add(serial.toUpperCase(Locale.ROOT));
    }
    var further = drive.alsoSerials();
    var fresh =
        found.names().serials().stream()
            .map(it -> it.replaceAll("\\p{Cntrl}", "")) // they are read by lines again
            .filter(it -> !it.isBlank() && !known.contains(it) && !further.contains(it))
            .sorted()
            .limit(Math.max(0, 16 - further.size()))
            .toList();
    if (further.addAll(fresh)) all.put(Marks.ALSO_SERIALS, String.join("\n", further));
    return all;
  }

  /// BM-146: what is left on it, by a volume or by a wipe that was broken off, is nobody else's, if
  /// the drive is ever plugged in again; its object is all that knows.
  private static boolean isToBeRemembered(Drive drive) {
    return drive.pendingWipe().isPresent()
        || drive.unclean().isPresent()
        || drive.wiping().isPresent();
  }

  private static List<LocalVolume> volumes(View view, Drive drive) {
    return List.copyOf(view.facts.by(Indexes.VOLUMES_BY_DRIVE, drive.uuid()));
  }

  /// What a person has said is taken back when it has been followed, before anything else is done:
  /// a drive that fails again later is not kept, and no release counts as failed, by an old word
  /// (BM-135, BM-139).
  private static Optional<DriveEffect> heeded(Drive drive, List<LocalVolume> volumes) {
    var usage = drive.observed().usage();
    if (!drive.looked() || drive.word(Marks.ACTION).isEmpty()) return Optional.empty();
    if (usage == DriveUsage.IN_USE) return Optional.of(new Heeded(drive, Marks.ACTION));
    if (usage != DriveUsage.FAILED || !drive.word(Marks.ACTION).equals(Marks.ADD))
      return Optional.empty();
    return volumes.stream()
        .filter(volume -> Replacement.release(volume).equals(Marks.FAILED))
        .findFirst()
        .map(ReleaseAgain::new);
  }

  /// What a person wants of it beside its replacement.
  private static Optional<Step> asked(Drive drive, DriveState state) {
    var lamp = drive.word(Marks.LOCATE);
    // BM-147
    if (lamp.equals(Marks.ON) && state.ledState() == 0)
      return Optional.of(new Act(new Lamp(drive, Locate.START)));
    if (lamp.equals(Marks.OFF))
      return Optional.of(
          new Act(
              state.ledState() == 1
                  ? new Lamp(drive, Locate.STOP)
                  : new Heeded(drive, Marks.LOCATE)));
    return new Wishes(drive, state).initialization();
  }

  private static Step waiting(Drive drive, DriveState state, List<LocalVolume> volumes) {
    return new DriveWaits(drive, state, volumes).step();
  }

  @Override
  public Class<DriveEffect> effectType() {
    return DriveEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(BareMetalKinds.DRIVE);
  }
}
