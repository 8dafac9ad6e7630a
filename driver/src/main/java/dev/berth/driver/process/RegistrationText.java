package dev.berth.driver.process;

import dev.berth.csi.registrar.Reach;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.registrar.Registration;
import dev.berth.driver.process.TextEndpoint.Text;
import java.util.Optional;

/// Where a driver stands with the kubelet, for those who ask over HTTP.
public final class RegistrationText {
  /// What node-driver-registrar answers (REG-05).
  public static Text of(Reach reach) {
    return switch (reach) {
      case Reach.Answers _ -> Text.OK;
      case Reach.Missing _ -> new Text(404, "registration socket does not exist");
      case Reach.Failing(var why) -> new Text(500, why);
    };
  }

  /// What keeps pods from using the driver; empty: nothing.
  public static Optional<String> lack(Registrar registrar) {
    return switch (registrar.registration()) {
      case Registration.Accepted _ -> Optional.empty();
      case Registration.Hidden _ -> Optional.of("the registration socket is not there");
      case Registration.Shown(var since) ->
          Optional.of("the kubelet has not taken the driver, since " + since);
      case Registration.Refused(var since, var why) ->
          Optional.of("the kubelet refused the driver at %s: %s".formatted(since, why));
    };
  }

  private RegistrationText() {}
}
