package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.asking;
import static dev.berth.conform.fault.Fault.in;
import static dev.berth.conform.fault.Fault.refusing;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_STAGE_VOLUME;

import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Drivers that say too much or too little, or cannot take what they are told.
final class WrongWords {
  /// The log that a faulty driver writes, in its folder.
  static final String LOG = "driver.log";

  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  static List<Row> rows() {
    return List.of(
        new Row("error.words", "a refusal has no words", saying(CREATE_VOLUME, _ -> "")),
        new Row("error.node-words", "a refusal has no words", saying(NODE_PUBLISH_VOLUME, _ -> "")),
        new Row("error.no-details", "a refusal has details", detailed()),
        new Row(
            "secret.in-errors",
            "a refusal quotes the request",
            saying(CREATE_VOLUME, call -> "cannot do " + call.request())),
        new Row(
            "secret.in-node-errors",
            "a refusal quotes the request",
            saying(NODE_STAGE_VOLUME, call -> "cannot do " + call.request())),
        new Row(
            "secret.mount-flags",
            "a refusal quotes mount's command line",
            saying(NODE_STAGE_VOLUME, call -> "mount failed: " + call.request())),
        new Row(
            "secret.in-answers",
            "secrets end up in the volume's context",
            in(
                CREATE_VOLUME,
                call -> {
                  var answer = ((CreateVolumeResponse) call.pass().getFirst()).toBuilder();
                  answer
                      .getVolumeBuilder()
                      .putAllVolumeContext(((CreateVolumeRequest) call.request()).getSecretsMap());
                  return List.of(answer.build());
                })),
        new Row("secret.in-log", "requests are logged as they are", logging()),
        new Row(
            "limit.longest-name",
            "a name of 128 bytes is too long",
            refusing(
                CREATE_VOLUME,
                Code.INVALID_ARGUMENT,
                CreateVolumeRequest.class,
                it -> it.getName().length() > 100)),
        new Row(
            "limit.longest-snapshot-name",
            "a name of 128 bytes is too long",
            refusing(
                CREATE_SNAPSHOT,
                Code.INVALID_ARGUMENT,
                CreateSnapshotRequest.class,
                it -> it.getName().length() > 100)),
        new Row("limit.distinct-long-names", "long names are cut off", cutNames(100)),
        new Row(
            "limit.any-name",
            "a slash leads nowhere",
            refusing(
                CREATE_VOLUME,
                Code.INTERNAL,
                CreateVolumeRequest.class,
                it -> it.getName().contains("/"))),
        new Row(
            "limit.volume-answer",
            "the context holds too much",
            answering(
                CREATE_VOLUME,
                CreateVolumeResponse.Builder.class,
                it -> it.getVolumeBuilder().putVolumeContext("all", "x".repeat(5000)))),
        new Row(
            "limit.publish-answer",
            "the publish context holds too much",
            answering(
                CONTROLLER_PUBLISH_VOLUME,
                ControllerPublishVolumeResponse.Builder.class,
                it -> it.putPublishContext("all", "x".repeat(5000)))),
        new Row(
            "limit.long-path",
            "a path of 128 bytes is too long",
            refusing(
                NODE_PUBLISH_VOLUME,
                Code.INVALID_ARGUMENT,
                NodePublishVolumeRequest.class,
                it -> it.getTargetPath().length() > 120)),
        new Row(
            "limit.strange-id",
            "an id is taken for a path",
            refusing(
                DELETE_VOLUME,
                Code.INTERNAL,
                DeleteVolumeRequest.class,
                it -> it.getVolumeId().contains("/"))),
        new Row(
            "limit.unknown-field",
            "a field that it does not know is refused",
            refusing(
                CREATE_VOLUME,
                Code.INVALID_ARGUMENT,
                CreateVolumeRequest.class,
                it -> !it.getUnknownFields().asMap().isEmpty())));
  }

  private interface Words {
    String of(Call call);
  }

  private static Fault saying(MethodDescriptor<?, ?> rpc, Words words) {
    return in(
        rpc,
        call -> {
          try {
            return call.pass();
          } catch (StatusRuntimeException refusal) {
            throw Fault.refusal(refusal.getStatus().getCode(), words.of(call));
          }
        });
  }

  private static Fault detailed() {
    return in(
        CREATE_VOLUME,
        call -> {
          try {
            return call.pass();
          } catch (StatusRuntimeException refusal) {
            var trailers = new Metadata();
            trailers.put(DETAILS, new byte[] {8, 3});
            throw refusal.getStatus().asRuntimeException(trailers);
          }
        });
  }

  private static Fault cutNames(int length) {
    return asking(
        CREATE_VOLUME,
        CreateVolumeRequest.Builder.class,
        it -> it.setName(it.getName().substring(0, Math.min(length, it.getName().length()))));
  }

  private static Fault logging() {
    return call -> {
      log(call.folder().resolve(LOG), call.request().toString());
      return call.pass();
    };
  }

  private static void log(Path file, String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private WrongWords() {}
}
