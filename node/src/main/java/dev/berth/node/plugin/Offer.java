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
record Offer(String driver, Path endpoint) {
  private static final String CSI = "CSIPlugin";

  /// CSI's rule for driver names (NLAY-06).
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

  private static final Pattern VERSION = Pattern.compile("v?(\\d{1,6})(\\.\\d{1,6}){0,2}");

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
    if (info.getSupportedVersionsList().stream().noneMatch(Offer::isSupported))
      throw invalid(
          "none of the versions "
              + info.getSupportedVersionsList()
              + " of driver "
              + info.getName()
              + " is one that this agent speaks (1.x)");
    return new Offer(info.getName(), endpoint(info.getEndpoint(), socket));
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

  /// NREG-05: the newest version that is not above 1 must be a 1.x.
  private static boolean isSupported(String version) {
    var matcher = VERSION.matcher(version);
    return matcher.matches() && Integer.parseInt(matcher.group(1)) == 1;
  }
}
