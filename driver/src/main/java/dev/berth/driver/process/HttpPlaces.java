package dev.berth.driver.process;

import java.net.InetSocketAddress;
import java.util.Optional;

/// Where a process answers over HTTP.
///
/// @param health of the driver and its registration; empty: nowhere
/// @param metrics may be the same address; empty: nowhere
/// @param metricsPath begins with a slash
public record HttpPlaces(
    Optional<InetSocketAddress> health, Optional<InetSocketAddress> metrics, String metricsPath) {
  private static final String USUAL_PATH = "/metrics";

  public HttpPlaces {
    if (!metricsPath.startsWith("/") || HttpEndpoint.HEALTH_PATHS.contains(metricsPath))
      throw new IllegalArgumentException(
          "%s cannot be the path of the metrics; write one such as /metrics"
              .formatted(metricsPath));
  }

  public static HttpPlaces nowhere() {
    return new HttpPlaces(Optional.empty(), Optional.empty(), USUAL_PATH);
  }

  /// Answers everything at one address.
  public static HttpPlaces at(InetSocketAddress address) {
    return new HttpPlaces(Optional.of(address), Optional.of(address), USUAL_PATH);
  }

  /// LIV-03, REG-06: metrics are not served where `--health-port` says.
  ///
  /// @throws IllegalArgumentException for a value that makes no sense, or two that exclude each
  ///   other
  static HttpPlaces of(Arguments arguments) {
    var all = arguments.find("--http-endpoint", "HOST:PORT or :PORT", TextEndpoint::address);
    var health =
        arguments
            .find("--health-port", "a port", HttpPlaces::everywhere)
            .filter(address -> address.getPort() != 0);
    var metrics = arguments.find("--metrics-address", "HOST:PORT or :PORT", TextEndpoint::address);
    if (all.isPresent() && (health.isPresent() || metrics.isPresent()))
      throw new IllegalArgumentException(
          "--http-endpoint is for health and metrics; leave out --health-port and"
              + " --metrics-address");
    return new HttpPlaces(
        all.or(() -> health),
        all.or(() -> metrics),
        arguments.find("--metrics-path").orElse(USUAL_PATH));
  }

  private static InetSocketAddress everywhere(String port) {
    return new InetSocketAddress(Arguments.wholeNumber(port));
  }
}
