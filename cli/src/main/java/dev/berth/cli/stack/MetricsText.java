package dev.berth.cli.stack;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What `/metrics` shows, in Prometheus' text format.
final class MetricsText {
  private MetricsText() {}

  static String of(PrometheusRegistry registry) {
    var bytes = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    } catch (IOException impossible) {
      throw new IllegalStateException("memory can always be written", impossible);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
