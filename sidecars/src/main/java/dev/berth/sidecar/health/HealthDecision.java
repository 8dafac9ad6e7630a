package dev.berth.sidecar.health;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.health.Protocol.Speech;
import dev.berth.volume.Translation;
import dev.berth.volume.health.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Asks the driver for volumes when it is time, and tells their claims what it says.
record HealthDecision(DriverFacts driver, Protocol protocol, Rhythm rhythm) {
  /// How long nothing is written after the server has dropped what was (VH-16).
  private static final Duration DROPPED = Duration.ofMinutes(10);

  /// All volumes at once.
  Step decideAll(View view) {
    var survey = view.survey();
    boolean byEvents = protocol.speech() == Speech.CONDITION || survey.dropped().isPresent();
    if (byEvents && !survey.recalled()) return new Act(new HealthEffect.Recall());
    if (!protocol.lists()) return new Settled();
    var next = survey.walked().map(it -> it.plus(rhythm.walks()));
    return next.isEmpty() || !next.get().isAfter(view.now())
        ? new Act(new HealthEffect.Walk())
        : new Settled().lookAgainAt(next.get());
  }

  Step decide(View view, String name) {
    return switch (view.volume(name)) {
      case Missing<Volume> _ -> new Settled();
      case Found(var volume) when !isOurs(volume) -> new Settled();
      case Found(var volume) when volume.phase() != Volume.Phase.BOUND -> new Settled(); // HM-02
      case Found(var volume) -> look(view, volume);
    };
  }

  private boolean isOurs(Volume volume) {
    return Translation.NONE.name(volume).filter(it -> it.driver().equals(driver.name())).isPresent()
        && driver.serves(volume);
  }

  private Step look(View view, Volume volume) {
    var handle = Translation.NONE.name(volume).orElseThrow().handle();
    var sighting = view.survey().of(handle);
    // Another claim may have taken the name of the one that is gone, before the volume is released.
    var claim =
        volume
            .claim()
            .flatMap(it -> view.claim(it.key()))
            .filter(it -> it.volumeName().equals(volume.meta().name()));
    var next = next(view.survey(), volume, claim, sighting);
    if (next.isPresent() && !next.get().isAfter(view.now()))
      return new Act(new HealthEffect.AskFor(handle));
    var said = claim.isEmpty() ? Optional.<Step>empty() : tell(view, claim.get(), sighting);
    return switch (said.orElseGet(Settled::new)) {
      case Settled(_, var again) -> lookAgainAt(Stream.concat(again.stream(), next.stream()));
      case Step other -> other;
    };
  }

  private static Step lookAgainAt(Stream<Instant> times) {
    return times
        .min(Comparator.naturalOrder())
        .map(it -> new Settled().lookAgainAt(it))
        .orElseGet(Settled::new);
  }

  /// When the driver is to be asked for this volume; empty: not at all.
  private Optional<Instant> next(
      Survey survey, Volume volume, Optional<Claim> claim, Sighting sighting) {
    if (!protocol.gets() || volume.meta().deleting()) return Optional.empty();
    if (protocol.asksOnly())
      return Optional.of(
          sighting.asked().map(it -> it.plus(rhythm.looks())).orElse(Instant.MIN)); // HM-10
    var cause = survey.failedWalk(); // VH-15
    if (cause.isEmpty() && inDoubt(survey, claim, sighting)) cause = survey.walked();
    return cause.filter(it -> !sighting.asked().filter(at -> !at.isBefore(it)).isPresent());
  }

  /// VH-12, VH-19: it stands there as unwell, and a walk did not show it.
  private static boolean inDoubt(Survey survey, Optional<Claim> claim, Sighting sighting) {
    return absent(survey, sighting) > 0 && claim.filter(it -> isUnwell(survey, it)).isPresent();
  }

  /// Whether it stands there as unwell, or has been told of as that where nothing stands (VH-16).
  private static boolean isUnwell(Survey survey, Claim claim) {
    return claim.isUnwell()
        || survey.dropped().isPresent() && survey.told().containsKey(claim.meta().uid());
  }

  private static int absent(Survey survey, Sighting sighting) {
    return survey.walks() - sighting.shownIn();
  }

  private Optional<Step> tell(View view, Claim claim, Sighting sighting) {
    return switch (protocol.speech()) {
      case NONE -> Optional.empty();
      case CONDITION ->
          sighting
              .report()
              .flatMap(it -> tellCondition(view.survey(), claim, it.well(), it.words()));
      case HEALTH ->
          report(view.survey(), claim, sighting).flatMap(it -> tellHealth(view, claim, it));
    };
  }

  /// HM-11: what has been told is told again only when it is otherwise.
  private static Optional<Step> tellCondition(
      Survey survey, Claim claim, boolean well, String message) {
    if (!survey.recalled()) return Optional.empty();
    var told = Optional.ofNullable(survey.told().get(claim.meta().uid()));
    if (well) return told.map(_ -> new Act(new HealthEffect.TellNormal(claim.ref()))); // HM-04
    return told.equals(Optional.of(Optional.of(message)))
        ? Optional.empty()
        : Optional.of(new Act(new HealthEffect.TellAbnormal(claim.ref(), message)));
  }

  /// What holds of a volume; empty: nobody knows. One that two walks in a row did not show is well,
  /// where the driver cannot be asked for it (VH-12).
  private Optional<Report> report(Survey survey, Claim claim, Sighting sighting) {
    int absent = absent(survey, sighting);
    if (absent == 0) return sighting.report();
    return protocol.gets() || absent < 2 || !isUnwell(survey, claim)
        ? Optional.empty()
        : Optional.of(Report.WELL);
  }

  private Optional<Step> tellHealth(View view, Claim claim, Report report) {
    var known = view.survey().unknown().getOrDefault(claim.meta().uid(), List.of());
    if (!known.equals(report.unknown()))
      return Optional.of(
          new Act(new HealthEffect.TellUnknown(claim.ref(), report.unknown()))); // VH-14
    boolean notUnderstood = report.well() && !report.unknown().isEmpty();
    if (notUnderstood) return Optional.empty(); // VH-11
    var later = view.survey().dropped().map(it -> it.plus(DROPPED));
    if (later.isPresent()) {
      var event = tellCondition(view.survey(), claim, report.well(), report.words());
      if (event.isPresent()) return event; // VH-16: it would be seen nowhere else
    }
    if (claim.health().shows(report.adverse())) return Optional.empty(); // VH-11
    if (later.isPresent() && later.get().isAfter(view.now()))
      return Optional.of(new Settled().lookAgainAt(later.get()));
    return Optional.of(
        new Act(
            new HealthEffect.WriteHealth(
                claim.meta(),
                report.adverse(),
                claim.health().since(report.adverse()).orElse(view.now()))));
  }
}
