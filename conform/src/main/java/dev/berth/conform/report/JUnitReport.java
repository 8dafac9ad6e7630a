package dev.berth.conform.report;

import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Writes a run as JUnit XML, for CI systems: a suite for each subject.
public final class JUnitReport {
  private final XMLStreamWriter xml;

  private JUnitReport(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /// Writes the file, replacing one that is there.
  public static void write(Report report, Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      var xml =
          XMLOutputFactory.newFactory().createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
      new JUnitReport(xml).write(report);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException("cannot write " + file, e);
    }
  }

  private void write(Report report) throws XMLStreamException {
    xml.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
    xml.writeStartElement("testsuites");
    xml.writeAttribute("name", "berth conform: " + report.driver());
    counts(report.results(), report.took());
    for (var suite : report.bySubject().entrySet()) {
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", suite.getKey());
      counts(
          suite.getValue(),
          suite.getValue().stream().map(Result::took).reduce(Duration.ZERO, Duration::plus));
      for (var result : suite.getValue()) write(result);
      xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void counts(List<Result> results, Duration took) throws XMLStreamException {
    xml.writeAttribute("tests", String.valueOf(results.size()));
    xml.writeAttribute("failures", String.valueOf(results.stream().filter(Result::failed).count()));
    xml.writeAttribute(
        "skipped",
        String.valueOf(
            results.stream().filter(it -> it.outcome() instanceof Outcome.Skipped).count()));
    xml.writeAttribute("time", Report.seconds(took));
  }

  private void write(Result result) throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", "conform." + result.check().subject());
    xml.writeAttribute("name", result.check().id() + ": " + result.check().title());
    xml.writeAttribute("time", Report.seconds(result.took()));
    switch (result.outcome()) {
      case Outcome.Passed _ -> {
        // Nothing more to tell.
      }
      case Outcome.Skipped(var reason) -> {
        xml.writeEmptyElement("skipped");
        xml.writeAttribute("message", clean(reason));
      }
      case Outcome.Failed failed -> {
        xml.writeStartElement("failure");
        xml.writeAttribute(
            "message", clean("expected " + failed.expected() + ", but " + failed.found()));
        xml.writeCharacters(clean(story(result, failed)));
        xml.writeEndElement();
      }
    }
    if (!result.left().isEmpty()) {
      xml.writeStartElement("system-err");
      xml.writeCharacters(clean("left behind: " + String.join("\nleft behind: ", result.left())));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static String story(Result result, Outcome.Failed failed) {
    var story = new StringBuilder();
    for (var exchange : failed.exchanges())
      story
          .append("sent ")
          .append(exchange.rpc())
          .append(' ')
          .append(exchange.sent())
          .append("\nanswered ")
          .append(exchange.answered())
          .append('\n');
    return story
        .append("rule: ")
        .append(result.check().rule())
        .append("\nremedy: ")
        .append(result.check().remedy())
        .append('\n')
        .toString();
  }

  /// XML has no way to write most control characters, not even escaped.
  private static String clean(String text) {
    return text.replaceAll("[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD]", "?");
  }
}
