package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_VOLUMES;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Ability.STAGE_UNSTAGE_VOLUME;

import com.google.protobuf.Message;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Answer;
import dev.berth.conform.trial.DeviationException;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.Volume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What must not be told: a marker is sent as a secret and looked for wherever people look.
final class Secrets {
  private static final String RULE =
      "Secrets Requirements: the information is sensitive and MUST be treated as such, not logged"
          + " and the like; ";
  private static final String KEY = Requests.PREFIX + "marker";

  static List<Check> checks() {
    return List.of(
        check(
                "secret.in-errors",
                "A secret does not appear in what a refusal says",
                RULE + "Error Scheme: the message may be shown to users")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "do not print whole requests into messages, nor what back ends say unseen",
                Secrets::inErrors),
        check(
                "secret.in-node-errors",
                "A secret does not appear in what a refusal of the node says",
                RULE + "Error Scheme: the message may be shown to users")
            .needs(NODE_SERVICE)
            .asks(
                "do not print whole requests into messages, nor the commands that you run",
                Secrets::inNodeErrors),
        check(
                "secret.in-answers",
                "A secret does not appear in contexts and lists",
                RULE + "Volume: volume_context is kept and shown by callers like any other data")
            .needs(CREATE_DELETE_VOLUME)
            .asks("copy no secret into volume_context or publish_context", Secrets::inAnswers),
        check(
                "secret.mount-flags",
                "Mount flags do not appear in what a refusal says",
                "MountVolume: mount_flags may hold sensitive information, which the plugin MUST NOT"
                    + " leak to untrusted entities")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "do not print mount flags, nor mount's command line, into messages",
                Secrets::mountFlags),
        check(
                "secret.in-log",
                "A secret does not appear in the driver's log",
                RULE + "fields marked csi_secret are not logged")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "log requests through a sanitizer that knows the option csi_secret",
                Secrets::inLog));
  }

  private static String marker() {
    return "marker-" + UUID.randomUUID();
  }

  private static void inErrors(Trial trial) {
    var marker = marker();
    for (var answer : refusals(trial, marker)) silent(trial, answer, marker);
  }

  private static List<Answer<?>> refusals(Trial trial, String marker) {
    var requests = trial.requests();
    var secrets = Map.of(KEY, marker);
    var answers = new ArrayList<Answer<?>>();
    answers.add(
        trial.send(
            Rpcs.CREATE_VOLUME,
            requests.volume().clearVolumeCapabilities().putAllSecrets(secrets).build()));
    answers.add(
        trial.send(
            Rpcs.DELETE_VOLUME, DeleteVolumeRequest.newBuilder().putAllSecrets(secrets).build()));
    answers.add(
        trial.send(
            Rpcs.VALIDATE_VOLUME_CAPABILITIES,
            ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(Requests.UNKNOWN_ID)
                .addVolumeCapabilities(requests.use())
                .putAllSecrets(secrets)
                .build()));
    if (trial.advertised().has(PUBLISH_UNPUBLISH_VOLUME))
      answers.add(
          trial.send(
              Rpcs.CONTROLLER_PUBLISH_VOLUME,
              requests
                  .publication(Volume.newBuilder().setVolumeId(Requests.UNKNOWN_ID).build())
                  .putAllSecrets(secrets)
                  .build()));
    if (trial.advertised().has(CREATE_DELETE_SNAPSHOT))
      answers.add(
          trial.send(
              Rpcs.CREATE_SNAPSHOT,
              requests.snapshot(Requests.UNKNOWN_ID).putAllSecrets(secrets).build()));
    return answers;
  }

  private static void silent(Trial trial, Answer<?> answer, String marker) {
    trial.require(!answer.words().contains(marker), "a message without the secret", answer.words());
  }

  private static void inNodeErrors(Trial trial) {
    var marker = marker();
    silent(
        trial,
        trial.send(
            Rpcs.NODE_PUBLISH_VOLUME,
            NodePublishing.unknown(trial).putSecrets(KEY, marker).build()),
        marker);
    if (!trial.advertised().has(STAGE_UNSTAGE_VOLUME)) return;
    silent(
        trial,
        trial.send(Rpcs.NODE_STAGE_VOLUME, Staging.unknown(trial).putSecrets(KEY, marker).build()),
        marker);
  }

  private static void inAnswers(Trial trial) {
    var marker = marker();
    var volume = made(trial, marker);
    without(trial, volume, marker);
    if (trial.advertised().has(LIST_VOLUMES))
      VolumeLists.all(trial, 0).forEach(entry -> without(trial, entry, marker));
    if (trial.advertised().has(PUBLISH_UNPUBLISH_VOLUME) && trial.advertised().has(NODE_SERVICE))
      without(
          trial,
          trial.ok(
              Rpcs.CONTROLLER_PUBLISH_VOLUME,
              trial.requests().publication(volume).putSecrets(KEY, marker).build()),
          marker);
  }

  private static Volume made(Trial trial, String marker) {
    CreateVolumeRequest request = trial.requests().volume().putSecrets(KEY, marker).build();
    var answer = trial.send(Rpcs.CREATE_VOLUME, request);
    return answer
        .message()
        .map(it -> it.getVolume())
        .orElseThrow(() -> new SkipException("the driver takes no secret that it does not know"));
  }

  private static void without(Trial trial, Message answer, String marker) {
    trial.require(!answer.toString().contains(marker), "an answer without the secret", answer);
  }

  private static void mountFlags(Trial trial) {
    if (trial.settings().shape().access() == Access.BLOCK)
      throw new SkipException("block volumes have no mount flags");
    var marker = marker();
    var placement = trial.attached();
    var use = placement.use().toBuilder();
    use.getMountBuilder().addMountFlags("password=" + marker);
    if (placement.stages())
      silent(
          trial,
          trial.send(
              Rpcs.NODE_STAGE_VOLUME, placement.stageRequest().setVolumeCapability(use).build()),
          marker);
    silent(
        trial,
        trial.send(
            Rpcs.NODE_PUBLISH_VOLUME, placement.publishRequest().setVolumeCapability(use).build()),
        marker);
  }

  private static void inLog(Trial trial) throws IOException {
    var log =
        trial
            .settings()
            .extras()
            .log()
            .orElseThrow(() -> new SkipException("only with --log FILE"));
    var marker = marker();
    refusals(trial, marker);
    var volume = made(trial, marker);
    if (trial.advertised().has(NODE_SERVICE)) {
      var placement = trial.attached(volume, trial.requests().use());
      if (placement.stages())
        trial.send(
            Rpcs.NODE_STAGE_VOLUME, placement.stageRequest().putSecrets(KEY, marker).build());
      trial.send(
          Rpcs.NODE_PUBLISH_VOLUME, placement.publishRequest().putSecrets(KEY, marker).build());
    }
    try (var lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      lines
          .filter(line -> line.contains(marker))
          .findFirst()
          .ifPresent(line -> {
            throw new DeviationException("a log without the secret", "a line with it: " + line);
          });
    }
  }

  private Secrets() {}
}
