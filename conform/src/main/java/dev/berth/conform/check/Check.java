package dev.berth.conform.check;

import com.google.protobuf.Message;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Trial;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// One sentence of the specification, asked of a driver.
///
/// @param id subject and words, such as `volume.no-name`; stays what it is for good
/// @param title what a driver does that passes
/// @param rule where the specification asks for it, in short
/// @param remedy what a driver's author does about a failure
/// @param covers specs of csi-sanity that ask the same, by their ids in spec/csi.md
/// @param needs without all of these the check is skipped
public record Check(
    String id,
    String title,
    String rule,
    String remedy,
    List<String> covers,
    Set<Ability> needs,
    Body body) {
  public Check {
    covers = List.copyOf(covers);
    needs = Set.copyOf(needs);
  }

  /// What the check does.
  @FunctionalInterface
  public interface Body {
    /// Asks the driver.
    ///
    /// @throws dev.berth.conform.trial.DeviationException if the driver does something else
    /// @throws dev.berth.conform.trial.SkipException if the check says nothing about it
    /// @throws IOException if a file on a volume cannot be used
    void ask(Trial trial) throws IOException;
  }

  /// What the check is about: the part of the id before the point.
  public String subject() {
    return id.substring(0, id.indexOf('.'));
  }

  /// Begins a check; see the fields of [Check].
  public static Draft check(String id, String title, String rule) {
    return new Draft(id, title, rule, List.of(), Set.of());
  }

  /// A check that is being written down.
  public record Draft(
      String id, String title, String rule, List<String> covers, Set<Ability> needs) {

    public Draft covers(String... specs) {
      return new Draft(id, title, rule, List.of(specs), needs);
    }

    public Draft needs(Ability... abilities) {
      return new Draft(id, title, rule, covers, Set.of(abilities));
    }

    /// What the check does.
    ///
    /// @param remedy what a driver's author does about a failure
    public Check asks(String remedy, Body body) {
      return new Check(id, title, rule, remedy, covers, needs, body);
    }

    /// The driver has to refuse one request with one code.
    public <Q extends Message, A extends Message> Check refuses(
        Status.Code code, MethodDescriptor<Q, A> rpc, Function<Trial, Q> request) {
      return asks(
          remedy(code, String.valueOf(rpc.getBareMethodName())),
          trial -> trial.refused(rpc, request.apply(trial), code));
    }

    private static String remedy(Status.Code code, String rpc) {
      return switch (code) {
        case INVALID_ARGUMENT ->
            rpc + " checks its fields before it looks anything up, and names the wrong one";
        case NOT_FOUND -> rpc + " looks up what its ids name, and says which is unknown";
        case ALREADY_EXISTS ->
            rpc + " compares the request with what is there, and tells what differs";
        case FAILED_PRECONDITION ->
            rpc + " looks at the state first, and says what has to be done before";
        case ABORTED ->
            rpc + " answers ABORTED to a token that it did not give, so the caller begins anew";
        case OUT_OF_RANGE -> rpc + " answers OUT_OF_RANGE to what can never fit, and says what can";
        case RESOURCE_EXHAUSTED ->
            rpc + " answers RESOURCE_EXHAUSTED where there is no room here or now";
        default -> "%s answers %s".formatted(rpc, code);
      };
    }
  }
}
