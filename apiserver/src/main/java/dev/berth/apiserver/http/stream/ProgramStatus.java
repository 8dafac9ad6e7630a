package dev.berth.apiserver.http.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;

/// How a program ended, as Kubernetes' clients are told: a `Status` in JSON.
final class ProgramStatus {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProgramStatus() {}

  static byte[] exited(int code) {
    if (code == 0) return bytes(JsonNodeFactory.instance.objectNode().put("status", "Success"));
    var status =
        failure(
            "NonZeroExitCode", "command terminated with non-zero exit code: exit status " + code);
    status
        .putObject("details")
        .putArray("causes")
        .addObject()
        .put("reason", "ExitCode")
        .put("message", Integer.toString(code));
    return bytes(status);
  }

  /// It was not started.
  static byte[] notStarted(Exception why) {
    return bytes(failure("InternalError", String.valueOf(why.getMessage())).put("code", 500));
  }

  private static ObjectNode failure(String reason, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("status", "Failure")
        .put("message", message)
        .put("reason", reason);
  }

  private static byte[] bytes(ObjectNode status) {
    status.putObject("metadata");
    try {
      return JSON.writeValueAsBytes(status);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException("a tree can always be written", impossible);
    }
  }
}
