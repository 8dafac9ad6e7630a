package dev.berth.node.plugin;

import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.socket.SocketPath;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a plugin says of itself on its registration socket, checked before it can become a path or
/// a name in the API.
///
/// @param driver its name
/// @param endpoint socket of its CSI services
/// @param version the newest that both sides speak
record Offer(String driver, Path endpoint, PluginVersion version) {
  private static final String CSI = "CSIPlugin";

  /// CSI's rule for driver names (NLAY-06).
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

  /// An offer is refused; why goes back to the plugin.
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final String why;

    Refused(String why) {
      super(why);
      this.why = why;
    }

    String why() {
      return why;
    }
  }

  /// @param socket the registration socket, which also is the endpoint of a plugin that names none
  static Offer of(PluginInfo info, Path socket) throws Refused {
    if (!info.getType().equals(CSI))
      throw new Refused(
          "RegisterPlugin error -- no handler registered for plugin type: "
              + info.getType()
              + " at socket "
              + socket);
    if (!NAME.matcher(info.getName()).matches() || info.getName().contains(".."))
      throw invalid("driver name \"" + info.getName() + "\" is not of CSI's form");
    var version =
        PluginVersion.newest(info.getSupportedVersionsList())
            .orElseThrow(() ->
                invalid(
                    "none of the versions "
                        + info.getSupportedVersionsList()
                        + " of driver "
                        + info.getName()
                        + " is one that this agent speaks (1.x)"));
    return new Offer(info.getName(), endpoint(info.getEndpoint(), socket), version);
  }

  private static Refused invalid(@Nullable String why) {
    return new Refused("RegisterPlugin error -- plugin validation failed with err: " + why);
  }

  private static Path endpoint(String endpoint, Path socket) throws Refused {
    if (endpoint.isEmpty()) return socket;
    try {
      return SocketPath.ofEndpoint(endpoint).path().normalize();
    } catch (
        IllegalArgumentException unusable) { // too long for a socket, or no path at all (NLAY-07)
      throw invalid(unusable.getMessage());
    }
  }
}
