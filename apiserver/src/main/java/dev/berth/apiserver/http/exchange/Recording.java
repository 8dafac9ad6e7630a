package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Request;

/// What one request and its answer said, for who writes that down. What is large is left out, and
/// so are answers that are sent piece by piece, as lists and watches are.
public final class Recording {
  private final boolean answers;
  private String asked = "";
  private String answered = "";

  private Recording(boolean answers) {
    this.answers = answers;
  }

  /// Begins to record a request.
  ///
  /// @param answers its answer, too
  public static Recording of(Request request, boolean answers) {
    var recording = new Recording(answers);
    request.setAttribute(Recording.class.getName(), recording);
    return recording;
  }

  static void asked(Request request, JsonNode body) {
    if (!(request.getAttribute(Recording.class.getName()) instanceof Recording recording)) return;
    if (!Intake.isLarge(request) && body.isContainerNode()) recording.asked = body.toString();
  }

  static void answered(Request request, String contentType, byte[] body) {
    if (!(request.getAttribute(Recording.class.getName()) instanceof Recording recording)) return;
    if (recording.answers && contentType.equals("application/json") && body.length < Intake.SMALL)
      recording.answered = onOneLine(new String(body, StandardCharsets.UTF_8));
  }

  /// Within JSON's texts no line ends: `?pretty` has put in all there are.
  private static String onOneLine(String json) {
    return json.replace("\n", "").replace("\r", "");
  }

  /// JSON; empty: there was none, or it was large.
  public String asked() {
    return asked;
  }

  /// JSON; empty: there was none, it was large or of another form, or nobody wanted it.
  public String answered() {
    return answered;
  }
}
