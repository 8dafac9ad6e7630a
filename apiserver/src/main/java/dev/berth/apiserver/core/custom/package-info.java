/// Custom kinds (spec/apiserver.md, section 14): what a CustomResourceDefinition says, and what
/// follows from it for the objects of its kind. Start at [Definition].
///
/// Always: an object is cut to the fields of its schema, completed with its defaults and only then
/// checked (`CustomObjectsTest`). Who writes never waits for a rule to be compiled
/// (`SlowRulesTest`), and no longer for one to be evaluated than [CelCost] allows.
///
/// Deliberately absent: conversion other than by name (`None`); an estimate of what a rule will
/// cost at most, with which upstream refuses definitions: here the cost of each object counts.
@NullMarked
package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.custom.rule.CelCost;
import org.jspecify.annotations.NullMarked;
