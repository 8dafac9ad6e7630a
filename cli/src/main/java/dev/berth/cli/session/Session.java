package dev.berth.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.model.Commands;
import dev.berth.kube.object.Ref;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A client of the stack in a home.
public final class Session {
  private static final Pattern COMMAND =
      Pattern.compile(
          "berth (explain|delete)( [a-z]+/\\S+)+( -n [a-z0-9-]+)?|berth drives [a-z]+"
              + " [A-Za-z0-9._/-]*[A-Za-z0-9]");

  /// Each one of a pipe, too; its options stand before the verb, since after `--` they are
  /// another's.
  private static final Pattern KUBECTL = Pattern.compile("\\bkubectl (?=[a-z])");

  private Session() {}

  /// @throws Problem if there is no stack, or it is somebody else's
  public static HttpApi open(Home home) {
    readable(home);
    if (!isUp(home))
      throw new Problem(
          "berth is not up in %s; start it: berth up --detach%s"
              .formatted(home.folder(), also(home)));
    return warning(HttpApi.of(home.kubeconfig(), Optional.empty()));
  }

  /// A client whose user reads what the server warns of, as kubectl's does.
  static HttpApi warning(HttpApi api) {
    return api.telling(text -> System.err.println("Warning: " + text));
  }

  private static void readable(Home home) {
    if (Files.exists(home.kubeconfig()) && !Files.isReadable(home.kubeconfig()))
      throw new Problem(
          "may not read %s; use sudo, or be the user who started the stack"
              .formatted(home.kubeconfig()));
  }

  static boolean isUp(Home home) {
    try {
      return Files.exists(home.kubeconfig()) && home.running().isPresent();
    } catch (IOException unreadable) {
      throw new Problem("cannot look into " + home.folder() + ": " + unreadable.getMessage());
    }
  }

  /// The command that says why an object of this stack is stuck.
  public static String explain(Home home, Ref ref) {
    return typed(home, Commands.explain(ref));
  }

  /// A sentence whose commands mean this stack: who wrote it knew of no homes. A `kubectl` without
  /// its kubeconfig would act on another cluster, whose objects may have the same names.
  public static String typed(Home home, String sentence) {
    var kubeconfig = " --kubeconfig " + quoted(home.kubeconfig().toString());
    return typed(sentence, also(home), kubeconfig);
  }

  /// Likewise for the commands of an answer in JSON.
  public static <J extends JsonNode> J typed(Home home, J json) {
    CommandsWithin.each(json, sentence -> typed(home, sentence));
    return json;
  }

  /// Likewise, with options of whichever cluster is meant, which both programs spell alike.
  public static String typed(String sentence, String also) {
    return typed(sentence, also, also);
  }

  private static String typed(String sentence, String berth, String kubectl) {
    var own = COMMAND.matcher(sentence).replaceAll("$0" + Matcher.quoteReplacement(berth));
    if (kubectl.isEmpty()) return own;
    return KUBECTL.matcher(own).replaceAll(Matcher.quoteReplacement("kubectl" + kubectl + " "));
  }

  /// The option to repeat in a suggested command, if the home is not the usual one.
  public static String also(Home home) {
    if (home.folder().equals(Home.DEFAULT)) return "";
    return " --home " + quoted(home.folder().toString());
  }

  /// As a shell takes it for one word.
  static String quoted(String word) {
    return word.matches("[\\w./@:+-]+") ? word : "'" + word + "'";
  }
}
