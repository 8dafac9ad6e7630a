/// Custom kinds (spec/apiserver.md, section 14): what a CustomResourceDefinition says, and what
/// follows from it for the objects of its kind. Start at [Definition].
///
/// Always: an object is cut to the fields of its schema, completed with its defaults and only then
/// checked (`CustomObjectsTest`).
///
/// Deliberately absent: conversion other than by name (`None`); CEL rules are not evaluated, and
/// who creates a definition with some is warned.
@NullMarked
package dev.berth.apiserver.core.custom;

import org.jspecify.annotations.NullMarked;
