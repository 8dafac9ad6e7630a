package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.RegistrationStatus;
import java.nio.file.Path;
import java.time.Duration;

/// What a kubelet does with a plugin's registration socket.
final class Kubelet {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Asks who it is, and tells it what became of that.
  ///
  /// @param outcome `true`, or why the plugin is not registered
  static JsonNode register(Path socket, String outcome) throws Exception {
    try (var connection = CsiConnection.open(socket)) {
      var calls = connection.registration(Duration.ofSeconds(5));
      var info = Messages.tree(calls.getInfo(InfoRequest.getDefaultInstance()));
      boolean registered = outcome.equals("true");
      var answer = JSON.createObjectNode();
      answer.set("info", info);
      try {
        calls.notifyRegistrationStatus(
            RegistrationStatus.newBuilder()
                .setPluginRegistered(registered)
                .setError(registered ? "" : outcome)
                .build());
        answer.put("told", true);
      } catch (RuntimeException gone) {
        answer.put("told", registered ? gone.toString() : "gone"); // it may end before it answers
      }
      if (!registered) answer.remove("told");
      return answer;
    }
  }

  private Kubelet() {}
}
