package dev.berth.node.health;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.HealthEffect.Ask;
import dev.berth.node.health.HealthEffect.Forget;
import dev.berth.node.health.HealthEffect.WriteHealth;
import dev.berth.node.health.Subject.OfPod;
import dev.berth.node.health.Subject.OfVolume;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.state.Actual;
import dev.berth.volume.Indexes;
import dev.berth.volume.health.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Asks drivers for the volumes that are on this node, once a minute each, and tells their pods
/// what they say (VH-10, VH-11, VH-17).
///
/// @param node name of this node
public record VolumeHealths(String node)
    implements Decider<Subject, VolumeHealths.View, HealthEffect> {
  /// As long as a kubelet keeps what it has counted of a volume.
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// How long nothing is written after the server has dropped what was (VH-16).
  private static final Duration DROPPED = Duration.ofMinutes(10);

  /// What there is to see.
  ///
  /// @param now time of the look
  public record View(Facts facts, Instant now) {
    private Known known() {
      return facts.of(Known.TOPIC);
    }

    private Optional<Pod> pod(String uid) {
      return facts.by(Indexes.PODS_BY_UID, uid).stream().findFirst();
    }
  }

  @Override
  public String name() {
    return "volume-health";
  }

  @Override
  public List<Trigger<?, Subject>> triggers() {
    return List.of(
        Trigger.on(
            Kinds.POD,
            (change, _) ->
                change.latest().nodeName().equals(node)
                    ? Stream.of(new OfPod(change.latest().meta().uid()))
                    : Stream.of()),
        Trigger.none(Kinds.CLAIM),
        Trigger.none(Kinds.VOLUME),
        Trigger.on(Actual.TOPIC, (news, _) -> moved(news)),
        Trigger.on(
            Drivers.TOPIC,
            (news, facts) ->
                facts.of(Actual.TOPIC).volumes().keySet().stream()
                    .filter(it -> news.after().contains(it.driver()))
                    .map(OfVolume::new)),
        Trigger.on(
            Drivers.REGISTRATIONS,
            (news, facts) ->
                facts.of(Actual.TOPIC).volumes().keySet().stream()
                    .filter(it ->
                        !Objects.equals(
                            news.before().get(it.driver()), news.after().get(it.driver())))
                    .map(OfVolume::new)),
        Trigger.on(Known.TOPIC, this::concerned));
  }

  private static Stream<Subject> moved(News<Actual> news) {
    var names = new HashSet<VolumeName>(news.before().volumes().keySet());
    names.addAll(news.after().volumes().keySet());
    return names.stream()
        .filter(it ->
            news.before().volume(it).mounted() != news.after().volume(it).mounted()
                || !news.before()
                    .volume(it)
                    .publications()
                    .equals(news.after().volume(it).publications()))
        .map(OfVolume::new);
  }

  /// The volumes of which something else was said, and their pods.
  private Stream<Subject> concerned(News<Known> news, Facts facts) {
    var before = news.before().volumes();
    var after = news.after().volumes();
    var names = new HashSet<VolumeName>(before.keySet());
    names.addAll(after.keySet());
    names.removeIf(it -> Objects.equals(before.get(it), after.get(it)));
    var needs = new Needs(facts);
    return names.stream()
        .flatMap(it ->
            Stream.concat(
                Stream.of(new OfVolume(it)),
                needs.users(it, node).map(pod -> new OfPod(pod.meta().uid()))));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, Subject subject) {
    return switch (subject) {
      case OfVolume(var name) -> ask(view, name);
      case OfPod(var uid) ->
          view.pod(uid)
              .filter(pod -> pod.nodeName().equals(node) && !pod.finished())
              .map(pod -> tell(view, pod))
              .orElseGet(Settled::new);
    };
  }

  /// VH-17: also of one whose mount has failed; not of one that lives with its pod.
  private static Step ask(View view, VolumeName name) {
    var state = view.facts().of(Actual.TOPIC).volume(name);
    var said = view.known().of(name);
    if (!state.mounted() || !state.form().outlivesPods())
      return said.isPresent() ? new Act(new Forget(name)) : new Settled();
    if (!view.facts().of(Drivers.TOPIC).contains(name.driver())) return new Settled();
    if (said.isEmpty()) return new Act(new Ask(name));
    long registration = view.facts().of(Drivers.REGISTRATIONS).getOrDefault(name.driver(), 0L);
    if (registration > said.get().registration()) return new Act(new Ask(name));
    if (!said.get().speaks()) return new Settled();
    var next = said.get().asked().plus(PERIOD);
    return next.isAfter(view.now()) ? new Settled().lookAgainAt(next) : new Act(new Ask(name));
  }

  private static Step tell(View view, Pod pod) {
    var volumes = volumes(view, pod);
    var written = ClaimHealth.ofPod(pod);
    var wanted = wanted(view, written, volumes);
    if (same(written, wanted)) return new Settled();
    var later = view.known().dropped().map(it -> it.plus(DROPPED));
    if (later.isPresent() && later.get().isAfter(view.now()))
      return new Settled().lookAgainAt(later.get());
    return new Act(new WriteHealth(pod.ref(), wanted));
  }

  /// What is known of the volumes of a pod, by the names that it gives them.
  private static Map<String, Said> volumes(View view, Pod pod) {
    var all = new LinkedHashMap<String, Said>();
    for (var need : new Needs(view.facts()).of(pod))
      if (need instanceof Need.Known(var name, var want))
        view.known().of(want.name()).ifPresent(it -> all.put(name, it));
    return all;
  }

  /// VH-11: what a driver says replaces what was said; what is not known stays as it is written.
  private static Map<String, ClaimHealth> wanted(
      View view, Map<String, ClaimHealth> written, Map<String, Said> volumes) {
    var all = new LinkedHashMap<>(written);
    volumes.forEach((name, said) -> {
      if (!said.speaks()) all.remove(name);
      else said.report().ifPresent(report -> put(all, name, report, view.now()));
    });
    return all;
  }

  private static void put(Map<String, ClaimHealth> all, String name, Report report, Instant now) {
    boolean notUnderstood = report.well() && !report.unknown().isEmpty();
    if (notUnderstood) return; // VH-14
    if (report.well()) all.remove(name);
    else {
      var since = Optional.ofNullable(all.get(name)).flatMap(it -> it.since(report.adverse()));
      all.put(name, new ClaimHealth(report.adverse(), Optional.of(since.orElse(now))));
    }
  }

  static boolean same(Map<String, ClaimHealth> written, Map<String, ClaimHealth> wanted) {
    return written.keySet().equals(wanted.keySet())
        && wanted.entrySet().stream()
            .allMatch(it ->
                Optional.ofNullable(written.get(it.getKey()))
                    .filter(before -> before.shows(it.getValue().conditions()))
                    .isPresent());
  }

  @Override
  public Class<HealthEffect> effectType() {
    return HealthEffect.class;
  }

  @Override
  public Stream<Subject> about(Ref subject, Snapshot objects) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> pod.nodeName().equals(node))
        .map(pod -> new OfPod(pod.meta().uid()));
  }
}
