package dev.berth.sidecar.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.health.Protocol.Speech;
import dev.berth.volume.health.Report;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How the monitor asks and tells.
final class HealthEffects implements Effects<HealthEffect> {
  private static final Logger log = LoggerFactory.getLogger(HealthEffects.class);
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// A page of volumes that are not well. Of all volumes, which drivers have been asked for without
  /// a bound for years, none is given.
  private static final int PAGE = 1000;

  private static final String RECOVERED = "The Volume returns to the healthy state";

  private final Protocol protocol;
  private final HealthMetrics metrics;
  private final Means means;
  private final ControllerCalls driver;
  private final Told<Survey> survey;

  HealthEffects(Protocol protocol, HealthOptions options, Means means, Told<Survey> survey) {
    this.protocol = protocol;
    this.metrics = options.metrics();
    this.means = means;
    this.survey = survey;
    driver = means.controller(options.timeout()); // each page has the whole of it (HM-13)
  }

  @Override
  public void carryOut(HealthEffect effect) {
    switch (effect) {
      case HealthEffect.Recall _ -> recall();
      case HealthEffect.Walk _ -> walk();
      case HealthEffect.AskFor(var handle) -> ask(handle);
      case HealthEffect.TellAbnormal(var claim, var message) -> {
        warn(claim, Reasons.VOLUME_CONDITION_ABNORMAL, message);
        survey.change(it -> it.telling(claim.uid(), Optional.of(message)));
      }
      case HealthEffect.TellNormal(var claim) -> {
        means.events().tell(Notice.normal(claim, Reasons.VOLUME_CONDITION_NORMAL, RECOVERED));
        survey.change(it -> it.telling(claim.uid(), Optional.empty()));
      }
      case HealthEffect.TellUnknown(var claim, var conditions) -> tellUnknown(claim, conditions);
      case HealthEffect.WriteHealth(_, var seen, var conditions, var since) ->
          write(seen.object(), conditions, since.object());
      case HealthEffect.TellNodeFailed(var node, var claim, var message, var told) -> {
        warn(claim, Reasons.NODE_FAILED, message);
        survey.change(it -> it.tellingOfNode(node, told));
      }
      case HealthEffect.NoteUnready(var node) ->
          survey.change(it -> it.unready(node, Optional.of(means.time().now())));
      case HealthEffect.NoteReady(var node) ->
          survey.change(it -> it.unready(node, Optional.empty()));
      case HealthEffect.TellNodeRecovered(var node, var claims) -> {
        // Upstream's type, too: people filter by it (HM-16).
        for (var claim : claims)
          warn(claim, Reasons.NODE_RECOVERED, "Node: %s recovered".formatted(node));
        survey.change(it -> it.tellingOfNode(node, Set.of()));
      }
    }
  }

  private void warn(Ref claim, String reason, String message) {
    means.events().tell(Notice.warning(claim, reason, message));
  }

  /// HM-15: those of one reason only. Whoever may not read them has told of nothing, as far as we
  /// know.
  private void recall() {
    Set<String> uids = Set.of();
    try {
      uids =
          means
              .api()
              .list(
                  Resources.EVENTS,
                  "",
                  Selector.fields(
                      "involvedObject.kind=PersistentVolumeClaim,type=Warning,reason="
                          + Reasons.VOLUME_CONDITION_ABNORMAL))
              .items()
              .stream()
              .map(event -> Json.text(event.path("involvedObject"), "uid"))
              .filter(uid -> !uid.isEmpty())
              .collect(Collectors.toSet());
    } catch (ApiException.Unreachable absent) {
      throw absent; // tried again
    } catch (ApiException refused) {
      log.warn("earlier events are not looked at: {}", refused.getMessage());
    }
    var found = uids;
    survey.change(it -> it.recalling(found));
  }

  /// One page.
  private record Page(Map<String, Report> volumes, String next) {}

  /// HM-02, VH-13. A token that comes back would lead round in circles (HM-13).
  private void walk() {
    var seen = new LinkedHashMap<String, Report>();
    var tokens = new HashSet<String>();
    var token = "";
    try {
      do {
        var from = token;
        var page =
            timed(
                protocol.speech() == Speech.HEALTH ? "ControllerListVolumeHealth" : "ListVolumes",
                () -> page(from));
        seen.putAll(page.volumes());
        token = page.next();
        if (!token.isEmpty() && !tokens.add(token)) {
          log.warn("the driver gives the token {} twice; its list is left there", token);
          survey.change(it -> it.failed(seen, means.time().now()));
          return;
        }
      } while (!token.isEmpty());
      survey.change(it -> it.walked(seen, means.time().now()));
    } catch (CsiException failed) {
      log.warn("volumes cannot be listed: {}", failed.getMessage());
      survey.change(it -> it.failed(seen, means.time().now()));
    }
  }

  private Page page(String token) {
    var volumes = new LinkedHashMap<String, Report>();
    if (protocol.speech() == Speech.HEALTH) {
      var answer =
          driver.controllerListVolumeHealth(
              ControllerListVolumeHealthRequest.newBuilder()
                  .setMaxEntries(PAGE)
                  .setStartingToken(token)
                  .build());
      answer.getEntriesList().forEach(it -> volumes.put(it.getVolumeId(), Report.of(it)));
      return new Page(volumes, answer.getNextToken());
    }
    var answer =
        driver.listVolumes(ListVolumesRequest.newBuilder().setStartingToken(token).build());
    answer
        .getEntriesList()
        .forEach(it ->
            volumes.put(
                it.getVolume().getVolumeId(), Report.of(it.getStatus().getVolumeCondition())));
    return new Page(volumes, answer.getNextToken());
  }

  /// HM-03: a refusal says nothing, NOT_FOUND neither.
  private void ask(String handle) {
    Optional<Report> report = Optional.empty();
    try {
      report = Optional.of(protocol.speech() == Speech.HEALTH ? health(handle) : condition(handle));
    } catch (CsiException failed) {
      log.warn("volume {} cannot be asked for: {}", handle, failed.getMessage());
    }
    var found = report;
    survey.change(it -> it.asked(handle, found, means.time().now()));
  }

  private Report health(String handle) {
    var request = ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(handle).build();
    return Report.of(
        timed("ControllerGetVolumeHealth", () -> driver.controllerGetVolumeHealth(request))
            .getVolumeHealth());
  }

  private Report condition(String handle) {
    var request = ControllerGetVolumeRequest.newBuilder().setVolumeId(handle).build();
    return Report.of(
        timed("ControllerGetVolume", () -> driver.controllerGetVolume(request))
            .getStatus()
            .getVolumeCondition());
  }

  private <T> T timed(String method, Supplier<T> call) {
    var begun = means.time().now();
    boolean answered = false;
    try {
      var answer = call.get();
      answered = true;
      return answer;
    } finally {
      metrics.asked(method, answered, Duration.between(begun, means.time().now()));
    }
  }

  private void tellUnknown(Ref claim, List<String> conditions) {
    if (!conditions.isEmpty()) {
      metrics.unknown(conditions.size());
      warn(
          claim,
          Reasons.UNKNOWN_VOLUME_HEALTH_CONDITION,
          "the driver reports conditions that are not known here: "
              + String.join(", ", conditions));
    }
    survey.change(it -> it.tellingUnknown(claim.uid(), conditions));
  }

  /// VH-11: one patch, of the claim as it was seen.
  private void write(Meta seen, List<VolumeHealth> conditions, Instant since) {
    var body = JSON.objectNode();
    body.putObject("metadata")
        .put("uid", seen.uid())
        .put("resourceVersion", seen.resourceVersion());
    var health = body.putObject("status").putObject("healthStatus");
    health.put("lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString());
    var entries = health.putArray(VolumeHealth.LIST);
    conditions.forEach(it -> entries.add(it.write()));
    var after = means.api().patchStatus(Resources.CLAIMS, seen.key(), Patch.merge(body));
    boolean dropped = after.path("status").path("healthStatus").isMissingNode();
    // VH-16
    if (dropped) {
      metrics.dropped();
      log.warn("the API server drops the health of volumes: its gate CSIVolumeHealth is off");
    }
    survey.change(it -> it.dropping(dropped ? Optional.of(means.time().now()) : Optional.empty()));
  }
}
